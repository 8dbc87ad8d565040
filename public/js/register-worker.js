/** Only pages of the launchpad's host for signed-in people name a worker. */
const address = document.querySelector('meta[name="service-worker"]')?.getAttribute('content')

/** Trusted Types are younger than workers, and unknown to older browsers. */
function trusted() {
  const policies = Reflect.get(globalThis, 'trustedTypes')
  const createScriptURL = () => '/service-worker.js'
  return policies?.createPolicy('service-worker', { createScriptURL }).createScriptURL('') ?? createScriptURL()
}

/** A page that was loading when the first worker started would stay without it. */
const claim = async () => {
  const { active } = await navigator.serviceWorker.ready
  if (!navigator.serviceWorker.controller) active?.postMessage('claim', [])
}

const register = () =>
  // In private windows of some browsers, and without room for it, pages work without the worker.
  navigator.serviceWorker.register(trusted(), { updateViaCache: 'none' }).then(claim, () => {})

const registerWhenIdle = () =>
  'requestIdleCallback' in globalThis
    ? requestIdleCallback(() => void register(), { timeout: 2_000 })
    : setTimeout(register, 1_000)

if (address && 'serviceWorker' in navigator) {
  if (document.readyState === 'complete') registerWhenIdle()
  else addEventListener('load', registerWhenIdle)
}
