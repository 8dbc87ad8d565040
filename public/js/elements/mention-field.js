import { Completion } from '../lib/completion.js'

/** A field of a comment: members are offered after an @. */
class MentionField extends HTMLElement {
  connectedCallback() {
    const field = this.querySelector('input')
    if (!field || this.completion) return
    this.completion = new Completion(this, field, {
      hrefOf: (word) =>
        word.startsWith('@')
          ? `/api/posts/${this.dataset.post}/mention-suggestions?${new URLSearchParams({ prefix: word })}`
          : null,
      /** @param {{ name: string }} suggestion */
      noteOf: ({ name }) => name,
    })
  }
}

customElements.define('mention-field', MentionField)
