import { whyUnavailable } from '../lib/push-support.js'

const texts = {
  on: 'Shows push messages.',
  off: 'Doesn’t show push messages.',
  failed: 'That didn’t work. Try again in a moment.',
  denied: 'You didn’t allow notifications, so none are shown.',
}

/** Subscribes this browser to push messages, or says why that isn’t possible. */
class PushBrowser extends HTMLElement {
  connectedCallback() {
    void this.show()
    // The row of this browser can be removed in the list below.
    const list = this.closest('ul')
    if (list) new MutationObserver(() => void this.show()).observe(list, { childList: true })
  }

  get status() {
    return this.querySelector('[role="status"]')
  }

  async show() {
    const reason = await whyUnavailable()
    if (reason) return this.draw(reason, null)
    const { pushManager } = await navigator.serviceWorker.ready
    const subscription = await pushManager.getSubscription()
    const isOn = subscription !== null && (await this.isStored(subscription))
    this.draw(isOn ? texts.on : texts.off, isOn ? 'Disable' : 'Enable')
  }

  /** The server deletes it with the session that created it. @param {PushSubscription} subscription */
  async isStored({ endpoint }) {
    const response = await fetch(this.dataset.route ?? '', { headers: { accept: 'application/json' } })
    if (!response.ok) return true
    const { items } = await response.json()
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint)))
    const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
    return items.some((/** @type {{ endpointHash: string }} */ item) => item.endpointHash === hash)
  }

  /** @param {string} text @param {string | null} action */
  draw(text, action) {
    if (this.status) this.status.textContent = text
    const before = this.querySelector('button')
    const isFocused = before !== null && before === document.activeElement
    before?.remove()
    if (!action) return
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button'
    button.dataset.size = 'sm'
    button.textContent = action
    button.addEventListener('click', () => {
      button.disabled = true
      const done = action === 'Enable' ? this.enable() : this.disable()
      done.catch(() => this.draw(texts.failed, action)).finally(() => this.querySelector('button')?.focus())
    })
    this.querySelector('[role="status"]')?.before(button)
    if (isFocused) button.focus()
  }

  async enable() {
    if ((await Notification.requestPermission()) !== 'granted') return this.draw(texts.denied, null)
    const { pushManager } = await navigator.serviceWorker.ready
    const subscription = await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: this.dataset.key,
    })
    const response = await fetch(this.dataset.route ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(subscription),
    })
    if (!response.ok) {
      await subscription.unsubscribe()
      const { detail } = await response.json().catch(() => ({}))
      return this.draw(detail ?? texts.failed, 'Enable')
    }
    this.refresh()
  }

  /** The server deletes its row when the push service says that the browser is gone. */
  async disable() {
    const { pushManager } = await navigator.serviceWorker.ready
    await (await pushManager.getSubscription())?.unsubscribe()
    this.refresh()
  }

  refresh() {
    void this.show()
    this.dispatchEvent(new CustomEvent('browsers-changed', { bubbles: true }))
  }
}

customElements.define('push-browser', PushBrowser)
