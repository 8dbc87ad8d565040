/**
 * The problem of a form: marks the fields that its items name, puts each message under its field and
 * goes to the first one. Items whose field isn't shown stay in the list.
 */
class FormProblem extends HTMLElement {
  /** @type {HTMLFormElement | null} */
  form = null

  connectedCallback() {
    const form = (this.form = this.closest('form'))
    if (!form) return
    for (const marked of form.querySelectorAll('[aria-invalid]')) clear(marked)
    const first = [...this.querySelectorAll('[data-field]')].map((item) => place(form, item)).find(Boolean)
    // htmx gives the focus back to where it was when the swap is over
    requestAnimationFrame(() => (first ? first.focus() : this.scrollIntoView({ block: 'nearest' })))
    form.addEventListener('htmx:after:request', this)
  }

  disconnectedCallback() {
    this.form?.removeEventListener('htmx:after:request', this)
  }

  /** A later successful response removes the error. @param {Event} event */
  handleEvent(event) {
    if (event instanceof CustomEvent && event.detail.ctx.response.status < 400) this.remove()
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {Element} item
 * @returns {HTMLElement | undefined} the field it belongs to; of a value in parts, such as date and time, the first; of a
 * list that is written in lines, all of it
 */
function place(form, item) {
  const path = item.getAttribute('data-field')
  const control =
    [...form.elements].find((element) => pathOf(element) === path) ??
    [...form.elements].find((element) => pathOf(element)?.startsWith(`${path}.`)) ??
    [...form.elements].find(
      (element) => element instanceof HTMLTextAreaElement && path?.startsWith(`${pathOf(element)}.`),
    )
  if (!(control instanceof HTMLElement) || control.getAttribute('type') === 'hidden') return undefined
  control.setAttribute('aria-invalid', 'true')
  messageOf(control).textContent = item.textContent
  control.addEventListener('input', () => clear(control), { once: true })
  item.remove()
  return control
}

/** `thread[0].text` is `thread.0.text` in problems. @param {Element} element */
const pathOf = (element) =>
  element
    .getAttribute('name')
    ?.replace('[]', '')
    .replace(/\[(\w+)\]/g, '.$1')

/**
 * @param {HTMLElement} control
 * @returns {Element}
 */
function messageOf(control) {
  control.id ||= `field-${crypto.randomUUID()}`
  const found = document.getElementById(`${control.id}-error`)
  if (found) return found.querySelector('span') ?? found
  const made = document.createElement('p')
  made.id = `${control.id}-error`
  made.className = 'error'
  control.after(made)
  control.setAttribute('aria-describedby', `${control.getAttribute('aria-describedby') ?? ''} ${made.id}`.trim())
  return made
}

/** @param {Element} control */
const clear = (control) => control.removeAttribute('aria-invalid')

customElements.define('form-problem', FormProblem)
