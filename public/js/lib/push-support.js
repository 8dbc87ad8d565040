const readyMs = 5_000

/** What a person can do about it, or null when push messages can be turned on. */
export async function whyUnavailable() {
  if (!isSecureContext) return 'Push messages need a connection with HTTPS.'
  if (!('serviceWorker' in navigator)) return 'This browser can’t show push messages, or not in a private window.'
  if (!('PushManager' in globalThis) || !('Notification' in globalThis))
    return /iPhone|iPad/.test(navigator.userAgent)
      ? 'Add Atrium to the Home Screen and open it there: on this device only installed apps show push messages.'
      : 'This browser can’t show push messages.'
  if (Notification.permission === 'denied')
    return 'Notifications are blocked for this site. Allow them in your browser’s settings, then reload.'
  const isReady = await Promise.race([
    navigator.serviceWorker.ready.then(() => true),
    new Promise((resolve) => setTimeout(() => resolve(false), readyMs)),
  ])
  return isReady ? null : 'The part of Atrium that shows push messages didn’t start. Reload the page.'
}
