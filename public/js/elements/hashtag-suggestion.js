/** Adds the brand's hashtags to the post: those that it doesn't have yet. */
class HashtagSuggestion extends HTMLElement {
  connected = new AbortController()

  connectedCallback() {
    const { signal } = (this.connected = new AbortController())
    this.addEventListener('click', ({ target }) => this.clicked(target), { signal })
    this.closest('form')?.addEventListener('change', () => this.draw(), { signal })
    this.draw()
  }

  disconnectedCallback() {
    this.connected.abort()
  }

  /** Only buttons for networks that are chosen. */
  draw() {
    const chosen = new Set(
      [...(this.closest('form')?.querySelectorAll('[name="account"]:checked') ?? [])].map(
        (account) => account instanceof HTMLElement && account.dataset.provider,
      ),
    )
    for (const button of this.querySelectorAll('button')) {
      const providers = (button.dataset.providers ?? '').split(' ')
      button.parentElement?.toggleAttribute('hidden', !providers.some((provider) => chosen.has(provider)))
    }
  }

  /** @param {EventTarget | null} target */
  clicked(target) {
    const button = target instanceof Element && target.closest('button')
    if (!button) return
    const inComment = button.dataset.to === 'comment'
    const field = this.closest('form')?.querySelector(
      inComment ? '[name="firstComment"]' : '.parts:not([hidden]) textarea',
    )
    if (!(field instanceof HTMLTextAreaElement)) return
    const had = new Set(field.value.toLowerCase().match(/#[\p{L}\p{M}\p{N}_]+/gu))
    const added = (this.dataset.tags ?? '').split(' ').filter((tag) => !had.has(tag.toLowerCase()))
    const text = field.value.trimEnd()
    if (added.length > 0) {
      field.value = text === '' ? added.join(' ') : `${text}${inComment ? ' ' : '\n\n'}${added.join(' ')}`
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    field.focus()
  }
}

customElements.define('hashtag-suggestion', HashtagSuggestion)
