#include "tools/executor/child_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace texlate::executor {
namespace {

TEST(ChildProcess, SurvivesAndKeepsItsChangesToItself) {
  int value = 1;
  std::string death;
  EXPECT_TRUE(survives([&] { value = 2; }, death));
  EXPECT_EQ(value, 1);
  EXPECT_EQ(death, "");
}

TEST(ChildProcess, DeathsHaveNames) {
  std::string death;
  EXPECT_FALSE(survives([] { std::raise(SIGKILL); }, death));
  EXPECT_EQ(death, "SIGKILL (Killed)");
  EXPECT_FALSE(survives(
      [] {
        std::signal(SIGSEGV, SIG_DFL);
        std::raise(SIGSEGV);
      },
      death));
  EXPECT_EQ(death, "SIGSEGV (Segmentation fault)");
}

TEST(ChildProcess, WhatItWritesCanBeReadUntilItDies) {
  Child child;
  ASSERT_TRUE(start_child(
      [](int to) {
        EXPECT_EQ(write(to, "abc", 3), 3);
        std::raise(SIGKILL);
      },
      child));
  char bytes[8];
  EXPECT_EQ(read(child.from, bytes, sizeof bytes), 3);
  EXPECT_EQ(read(child.from, bytes, sizeof bytes), 0);
  std::string death;
  EXPECT_FALSE(wait_for_child(child, death));
  EXPECT_EQ(death, "SIGKILL (Killed)");
}

}  // namespace
}  // namespace texlate::executor
