/** Shown while fields of its form differ from their saved values, together with the button that discards them. */
class UnsavedChanges extends HTMLElement {
  connectedCallback() {
    const form = this.closest('form')
    const show = () => this.toggleAttribute('data-changed', [...(form?.elements ?? [])].some(isChanged))
    form?.addEventListener('input', show)
    form?.addEventListener('change', show)
    form?.addEventListener('reset', () => setTimeout(show))
    form?.addEventListener('htmx:after:request', (event) => {
      if (!(event instanceof CustomEvent && event.detail.ctx.response?.status < 400)) return
      // A zone choice isn't redrawn with the saved value.
      for (const option of form.querySelectorAll('option')) option.defaultSelected = option.selected
    })
    show()
  }
}

/** @param {Element} field */
function isChanged(field) {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((each) => each.selected !== each.defaultSelected)
  // The field in which a zone choice searches has no name.
  return field instanceof HTMLInputElement && field.name !== '' && field.value !== field.defaultValue
}

customElements.define('unsaved-changes', UnsavedChanges)
