const secondsShown = 6
/** Seconds before a toast counts as seen. Unseen toasts are shown again on the next page. */
const secondsUnseen = 1
const handedOn = 'toasts'
/** Seconds within which the next page should load. */
const secondsLeaving = 10

/** Shows toasts from the server, and reports requests without a response. */
class ToastRegion extends HTMLElement {
  /** @type {{ toast: { message: string, tone?: string }, at: number }[]} */
  shown = []
  /** Toasts for the next page. @type {{ message: string, tone?: string }[]} */
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

  /** @param {{ message: string, tone?: string }} given */
  show(given) {
    if (this.isLeaving) {
      this.next.push(given)
      return
    }
    const { message, tone } = given
    this.shown.push({ toast: given, at: performance.now() })
    const toast = this.copy('template')
    toast.setAttribute('data-tone', tone ?? 'success')
    const words = toast.querySelector('span')
    if (words) words.textContent = message
    this.append(toast)
    if (tone !== 'danger') setTimeout(() => toast.remove(), secondsShown * 1000)
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

/** @param {Event} event */
function dismiss({ target }) {
  if (!(target instanceof Element) || !target.closest('[data-dismiss]')) return
  ;(target.closest('form-problem') ?? target.closest('.notice, .toast'))?.remove()
}

customElements.define('toast-region', ToastRegion)
