/** Says that this page is no longer editing when it closes; one that is killed is forgotten by the server. */
class PostEditors extends HTMLElement {
  connectedCallback() {
    addEventListener('pagehide', () => {
      const { tab = '' } = this.dataset
      void fetch(`${this.getAttribute('hx-post')}/${tab}`, {
        method: 'DELETE',
        keepalive: true,
        headers: { accept: 'application/json' },
      }).catch(() => {})
    })
    addEventListener('pageshow', ({ persisted }) => persisted && this.dispatchEvent(new CustomEvent('live')))
  }
}

customElements.define('post-editors', PostEditors)
