/** A clock that hidden tabs do not throttle: one message a second. */
setInterval(() => self.postMessage("tick"), 1000);
