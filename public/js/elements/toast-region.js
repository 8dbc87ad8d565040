/** @typedef {{ method: string, href: string, body: object }} Undo */
/** @typedef {{ message: string, tone?: string, undo?: Undo }} Toast */

const secondsShown = 6
/** Seconds to decide on undoing. */
const secondsToUndo = 15
/** Seconds before a toast counts as seen. Unseen toasts are shown again on the next page. */
const secondsUnseen = 1
const handedOn = 'toasts'
/** Seconds within which the next page should load. */
const secondsLeaving = 10

/** Shows toasts from the server, and reports requests without a response. */
class ToastRegion extends HTMLElement {
  /** @type {{ toast: Toast, at: number }[]} */
  shown = []
  /** Toasts for the next page. @type {Toast[]} */
  next = []
  isLeaving = false

  connectedCallback() {
    for (const toast of JSON.parse(sessionStorage.getItem(handedOn) ?? '[]')) this.show(toast)
    sessionStorage.removeItem(handedOn)
    addEventListener('pagehide', () => this.storeToasts())
    document.addEventListener('htmx:after:request', (event) => {
      if (event instanceof CustomEvent && event.detail.ctx.hx?.redirect) this.leave()
    })
    document.addEventListener('toast', (event) => event instanceof CustomEvent && this.show(event.detail))
    document.addEventListener('htmx:error', (event) => {
      if (event instanceof CustomEvent && !event.detail.ctx?.response) this.unanswered(event.target)
    })
    document.addEventListener('htmx:before:response', (event) => {
      if (event instanceof CustomEvent && isForeign(event.detail.ctx.response)) {
        event.preventDefault()
        this.unanswered(event.target)
      }
    })
    document.addEventListener('outdated', () => this.append(this.copy('template[data-outdated]')))
    document.addEventListener('click', dismiss)
  }

  /** From now on toasts are only shown on the next page, so that screen readers read them once. */
  leave() {
    this.isLeaving = true
    setTimeout(() => this.stay(), secondsLeaving * 1000)
  }

  stay() {
    this.isLeaving = false
    for (const toast of this.next.splice(0)) this.show(toast)
  }

  storeToasts() {
    const unseen = this.shown.filter(({ at }) => performance.now() - at < secondsUnseen * 1000)
    const toasts = [...unseen.map(({ toast }) => toast), ...this.next.splice(0)]
    this.isLeaving = false
    if (toasts.length > 0) sessionStorage.setItem(handedOn, JSON.stringify(toasts))
  }

  /** @param {Toast} given */
  show(given) {
    if (this.isLeaving) {
      this.next.push(given)
      return
    }
    const { message, tone, undo } = given
    this.shown.push({ toast: given, at: performance.now() })
    const toast = this.copy('template')
    toast.setAttribute('data-tone', tone ?? 'success')
    const words = toast.querySelector('span')
    if (words) words.textContent = message
    if (undo) this.offer(undo, toast)
    this.append(toast)
    if (tone !== 'danger') removeAfter(toast, undo ? secondsToUndo : secondsShown)
  }

  /** @param {Undo} undo @param {Element} toast */
  offer(undo, toast) {
    const button = toast.querySelector('[data-undo]')
    if (!(button instanceof HTMLButtonElement)) return
    button.hidden = false
    button.addEventListener('click', () => {
      toast.remove()
      void this.undo(undo)
    })
  }

  /** @param {Undo} undo */
  async undo({ method, href, body }) {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const response = await fetch(href, { method, headers, body: JSON.stringify(body) }).catch(() => null)
    if (!response?.ok) {
      const problem = await response?.json().catch(() => null)
      const reason = problem?.errors?.[0]?.message ?? problem?.detail ?? 'Check your connection.'
      return this.show({ message: `Couldn’t undo. ${reason}`, tone: 'danger' })
    }
    for (const live of document.querySelectorAll('[data-live]')) live.dispatchEvent(new CustomEvent('live'))
    const { toast } = JSON.parse(response.headers.get('hx-trigger') ?? '{}')
    this.show({ message: toast?.message ?? 'Undone' })
    document.dispatchEvent(new CustomEvent('undone'))
  }

  /** Shown in the submitted form or clicked menu if possible. @param {EventTarget | null} source */
  unanswered(source) {
    // It is retried automatically.
    if (source instanceof Element && source.hasAttribute('data-live')) return
    const around = source instanceof Element ? source.closest('form, [popover]') : null
    const place = around?.querySelector('.form-problem') ?? this
    place.querySelector('[data-unanswered]:not(template)')?.remove()
    const notice = this.copy('template[data-unanswered]')
    notice.setAttribute('data-unanswered', '')
    if (around?.querySelector('kept-input'))
      notice
        .querySelector('p')
        ?.replaceChildren('Check your connection and try again. Your text stays here until it is sent.')
    place.append(notice)
  }

  /** @param {string} template */
  copy(template) {
    const source = this.querySelector(template)
    if (!(source instanceof HTMLTemplateElement)) throw new Error(`The page has no ${template}`)
    const copy = document.importNode(source.content, true).firstElementChild
    if (!copy) throw new Error(`${template} is empty`)
    return copy
  }
}

/**
 * Whether a proxy responded instead of the server, whose responses have a request ID.
 * @param {{ status: number, headers: Headers }} response
 */
const isForeign = ({ status, headers }) => status >= 500 && !headers.has('x-request-id')

/** A toast stays while it is hovered or focused. @param {Element} toast @param {number} seconds */
function removeAfter(toast, seconds) {
  setTimeout(() => (toast.matches(':hover, :focus-within') ? removeAfter(toast, 2) : toast.remove()), seconds * 1000)
}

/** @param {Event} event */
function dismiss({ target }) {
  if (!(target instanceof Element) || !target.closest('[data-dismiss]')) return
  ;(target.closest('form-problem') ?? target.closest('.notice, .toast'))?.remove()
}

customElements.define('toast-region', ToastRegion)
