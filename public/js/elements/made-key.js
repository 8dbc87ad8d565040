/** The text of a new key, which is shown once: copied by a button, and gone with its dialog, behind which the list is renewed. */
class MadeKey extends HTMLElement {
  connectedCallback() {
    const dialog = this.closest('dialog')
    // A click beside it would take the key away unseen.
    dialog?.setAttribute('closedby', 'closerequest')
    dialog?.addEventListener('close', () => location.assign('/settings/keys'), { once: true })
    this.querySelector('[data-copy]')?.addEventListener('click', () => this.copy())
  }

  async copy() {
    const text = this.querySelector('output')
    const status = this.querySelector('[role="status"]')
    if (!text || !status) return
    const copied = await navigator.clipboard?.writeText(text.textContent ?? '').then(
      () => true,
      () => false,
    )
    if (!copied) getSelection()?.selectAllChildren(text)
    status.textContent = copied ? 'Copied' : 'Selected: copy it with Ctrl+C'
  }
}

customElements.define('made-key', MadeKey)
