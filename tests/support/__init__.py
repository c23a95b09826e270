"""What the tests stand on: servers, databases, a live stack, a browser, and the runner."""
