{
  /** Milliseconds: a server that is down doesn't announce its return as a network does. */
  const pause = 5_000

  const retry = () => location.reload()

  const retryWhenReachable = () =>
    fetch('/healthz', { cache: 'no-store' }).then(
      ({ status }) => status < 500 && retry(),
      () => {},
    )

  addEventListener('online', retry)
  document.querySelector('button')?.addEventListener('click', retry)
  setInterval(() => navigator.onLine && void retryWhenReachable(), pause)
}
