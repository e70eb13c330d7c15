// Runs several cases at the same time in child processes.

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <deque>

#include "tools/executor/child_process.h"
#include "tools/texlate/suite.h"

namespace texlate::cli {

namespace {

using executor::Child;

/// A worker's record for a step, followed by the bytes of its name and message.
struct RecordHead {
  double seconds;
  uint32_t name_size, message_size;
  Outcome outcome;
};

void write_result(int to, const TestResult& result) {
  RecordHead head = {};
  head.seconds = result.seconds;
  head.name_size = static_cast<uint32_t>(result.name.size());
  head.message_size = static_cast<uint32_t>(result.message.size());
  head.outcome = result.outcome;
  platform::write_to_parent(to, {reinterpret_cast<const char*>(&head), sizeof head});
  platform::write_to_parent(to, result.name);
  platform::write_to_parent(to, result.message);
}

/// A case in a separate process.
struct Worker {
  const TestCase* test = nullptr;
  Child child;
  std::string bytes;  // records received so far
  bool finished = false;
  std::vector<TestResult> results;
};

std::vector<TestResult> read_results(const TestCase& test, std::string_view bytes) {
  std::vector<TestResult> results;
  RecordHead head;
  while (bytes.size() >= sizeof head) {
    std::memcpy(&head, bytes.data(), sizeof head);
    const std::string_view text = bytes.substr(sizeof head);
    if (text.size() < size_t{head.name_size} + head.message_size) break;
    TestResult result;
    result.file = test.file;
    result.name = text.substr(0, head.name_size);
    result.message = text.substr(head.name_size, head.message_size);
    result.seconds = head.seconds;
    result.outcome = head.outcome;
    results.push_back(std::move(result));
    bytes = text.substr(size_t{head.name_size} + head.message_size);
  }
  return results;
}

/// The pipe has ended: the step during which the process died has failed, and the steps after it do not run.
void finish(Worker& worker) {
  std::string death;
  const bool survived = executor::wait_for_child(worker.child, death);
  worker.results = read_results(*worker.test, worker.bytes);
  const std::vector<TestStep>& steps = worker.test->steps;
  const size_t died_of = worker.results.size();
  for (size_t i = died_of; i < steps.size(); ++i) {
    TestResult& result = worker.results.emplace_back(unrun_step(*worker.test, steps[i]));
    if (i != died_of) {
      result.message = "not run: an earlier step of this file ended the process\n";
    } else if (survived) {
      result.message = "the process that ran this step ended early\n";
    } else {
      result.message = fmt::format("the process that ran this step was killed by {}\n", death);
    }
  }
  worker.finished = true;
}

/// Waits until some worker has written data or ended.
void read_some(std::deque<Worker>& workers) {
  std::vector<int> pipes;
  std::vector<bool> ready;
  for (const Worker& worker : workers) {
    if (!worker.finished) pipes.push_back(worker.child.from);
  }
  if (!platform::wait_for_any(pipes, ready)) return;
  size_t next = 0;
  for (Worker& worker : workers) {
    if (worker.finished || !ready[next++]) continue;
    if (!platform::read_some(worker.child.from, worker.bytes)) finish(worker);
  }
}

bool start(Worker& worker, const SuiteSettings& settings) {
  std::fflush(nullptr);  // otherwise the child would write buffered data a second time
  return executor::start_child(
      [&](int to) {
        for (const TestStep& step : worker.test->steps)
          write_result(to, run_step(*worker.test, step, settings));
      },
      worker.child);
}

void run_here(const TestCase& test, const SuiteSettings& settings,
              const std::function<void(TestResult)>& done) {
  for (const TestStep& step : test.steps) done(run_step(test, step, settings));
}

}  // namespace

void run_cases(std::span<const TestCase> cases, const SuiteSettings& settings, uint32_t jobs,
               const std::function<void(TestResult)>& done) {
  if (jobs <= 1) {
    for (const TestCase& test : cases) run_here(test, settings, done);
    return;
  }
  std::deque<Worker> workers;  // in the order of the cases; finished ones are passed on from the front
  size_t next = 0, running = 0;
  while (next < cases.size() || !workers.empty()) {
    while (next < cases.size() && running < jobs) {
      Worker& worker = workers.emplace_back();
      worker.test = &cases[next++];
      if (start(worker, settings)) {
        ++running;
      } else {  // no process could be created
        worker.finished = true;
        run_here(*worker.test, settings,
                 [&](TestResult result) { worker.results.push_back(std::move(result)); });
      }
    }
    if (running != 0) read_some(workers);
    running = 0;
    for (const Worker& worker : workers) running += worker.finished ? 0 : 1;
    for (; !workers.empty() && workers.front().finished; workers.pop_front()) {
      for (TestResult& result : workers.front().results) done(std::move(result));
    }
  }
}

}  // namespace texlate::cli
