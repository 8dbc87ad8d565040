/**
 * Shown while fields of its form differ from their saved values, together with the button that discards them. Leaving the
 * page asks first.
 */
class UnsavedChanges extends HTMLElement {
  connected = new AbortController()

  connectedCallback() {
    const form = this.closest('form')
    const { signal } = (this.connected = new AbortController())
    const hasChanges = () => [...(form?.elements ?? [])].some(isChanged)
    const show = () => this.toggleAttribute('data-changed', hasChanges())
    for (const type of ['input', 'change']) form?.addEventListener(type, show, { signal })
    form?.addEventListener('reset', () => setTimeout(show), { signal })
    form?.addEventListener(
      'htmx:after:request',
      (event) => {
        if (!(event instanceof CustomEvent) || event.target !== form) return
        const { hx, response } = event.detail.ctx
        if (hx?.redirect?.startsWith('/login')) return stay(event)
        if (!(response?.status < 400)) return
        this.removeAttribute('data-changed')
        // A zone choice isn't redrawn with the saved value.
        for (const option of form.querySelectorAll('option')) option.defaultSelected = option.selected
      },
      { signal },
    )
    const ask = (/** @type {Event} */ event) =>
      this.hasAttribute('data-changed') && hasChanges() && event.preventDefault()
    addEventListener('beforeunload', ask, { signal })
    show()
  }

  disconnectedCallback() {
    this.connected.abort()
  }
}

/** The sign-in page would replace what was typed. @param {Event} event */
function stay(event) {
  event.preventDefault()
  event.stopPropagation()
  const message = 'Not saved: you were signed out. Sign in in another tab, then save again.'
  document.dispatchEvent(new CustomEvent('toast', { detail: { message, tone: 'danger' } }))
}

/** @param {Element} field */
function isChanged(field) {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((each) => each.selected !== each.defaultSelected)
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
  // The field in which a zone choice searches has no name.
  if (!(field instanceof HTMLInputElement) || field.name === '') return false
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked
}

customElements.define('unsaved-changes', UnsavedChanges)
