import { clearError, showError } from '../lib/field-errors.js'

/**
 * The problem of a form: puts the message of each item under the field that it names, and focuses the first one. Items
 * whose field isn't shown stay in the list; without any the problem itself is not shown.
 */
class FormProblem extends HTMLElement {
  /** @type {HTMLFormElement | null} */
  form = null

  connectedCallback() {
    const form = (this.form = this.closest('form'))
    if (!form) return
    for (const marked of form.querySelectorAll('[aria-invalid]')) clearError(marked)
    const first = [...this.querySelectorAll('[data-field]')].map((item) => place(form, item)).find(Boolean)
    // htmx gives the focus back to where it was when the swap is over
    requestAnimationFrame(() => {
      if (first) first.focus()
      else this.scrollIntoView({ block: 'nearest' })
      if (first && !this.hasItems) this.remove()
    })
    form.addEventListener('htmx:after:request', this)
    form.addEventListener('input', this)
    this.dispatchEvent(new CustomEvent('problem', { bubbles: true, detail: this.dataset.code }))
  }

  disconnectedCallback() {
    this.form?.removeEventListener('htmx:after:request', this)
    this.form?.removeEventListener('input', this)
  }

  get hasItems() {
    return this.querySelector('[data-field]') !== null
  }

  /** A later successful response removes the problem, and so does input unless it would lose items. @param {Event} event */
  handleEvent(event) {
    const isSolved = event instanceof CustomEvent && event.detail.ctx.response.status < 400
    if (isSolved || (event.type === 'input' && !this.hasItems)) this.remove()
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
  showError(control, item.textContent)
  item.remove()
  return control
}

/** `thread[0].text` is `thread.0.text` in problems. @param {Element} element */
const pathOf = (element) =>
  element
    .getAttribute('name')
    ?.replace('[]', '')
    .replace(/\[(\w+)\]/g, '.$1')

customElements.define('form-problem', FormProblem)
