// The worker that translates and runs. It is started anew after a trap, when it takes too long, and when its answer is no longer wanted.
const kPatience = 30000;   // milliseconds for one request
const kSuperseded = 400;   // a request this old is given up for a newer one

const machines = {available: $('machines').textContent.trim() !== '', worker: null, module: null, pending: null, starts: 0};

const startWorker = () => {
  const code = new Blob([$('worker').textContent], {type: 'text/javascript'});
  const worker = new Worker(URL.createObjectURL(code));
  machines.worker = worker;
  ++machines.starts;
  worker.onmessage = ({data: message}) => {
    if (message.module) {
      machines.module = message.module;
    } else if (machines.pending && message.id === machines.pending.id) {
      if (message.trap) restartWorker();
      finish(message.trap ? {good: false, error: `The machine stopped (${message.trap}) and was started anew.`} : message.answer);
    }
  };
  worker.onerror = event => {
    event.preventDefault();
    restartWorker();
    finish({good: false, error: `The machine stopped (${event.message}) and was started anew.`});
  };
  worker.postMessage(machines.module ? {module: machines.module} : {packed: $('machines').textContent});
};
const restartWorker = () => {
  if (machines.worker) machines.worker.terminate();
  startWorker();
};

// Sends the next request, too: a worker that is to be replaced must be replaced before.
const finish = answer => {
  const pending = machines.pending;
  if (!pending) return;
  machines.pending = null;
  clearTimeout(pending.timer);
  clearTimeout(pending.stop);
  $('stop').hidden = true;
  pending.done(answer);
};
const giveUp = why => {
  if (!machines.pending) return;
  restartWorker();
  finish(why ? {good: false, error: why} : null);
};

const queue = [];
let requestNumber = 0;
const send = () => {
  if (machines.pending || !queue.length) return;
  const {request, done} = queue.shift();
  const id = ++requestNumber;
  machines.pending = {
    id, request, since: performance.now(), done: answer => { done(answer); send(); },
    timer: setTimeout(() => giveUp(`Stopped after ${kPatience / 1000} seconds.`), kPatience),
    stop: setTimeout(() => { $('stop').hidden = false; }, 700),
  };
  machines.worker.postMessage({id, request});
};

// Returns the answer, or null if a newer request of the same kind replaced this one.
const ask = request => new Promise(done => {
  if (!machines.available) return done(null);
  if (!machines.worker) startWorker();
  for (let i = queue.length - 1; i >= 0; --i) if (queue[i].request.do === request.do) queue.splice(i, 1)[0].done(null);
  const full = {...shaderNow(), scene: state.scene, ...request};
  queue.push({request: full, done});
  const now = machines.pending;
  if (now && (now.request.do === request.do || request.do === 'translate') && performance.now() - now.since > kSuperseded) giveUp(null);
  send();
});
const shaderNow = () => state.container ? {container: bytesToBase64(state.container)} : {text: state.text};
