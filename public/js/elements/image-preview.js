/** An image that can't be loaded is replaced by the placeholder after it. */
class ImagePreview extends HTMLElement {
  connectedCallback() {
    const image = this.querySelector('img')
    if (!image) return
    image.addEventListener('error', () => this.hideImage())
    // It can have failed before this script ran.
    if (image.complete && image.naturalWidth === 0 && image.currentSrc !== '') this.hideImage()
  }

  hideImage() {
    const link = this.querySelector('a')
    const placeholder = this.querySelector('.pic')
    if (link) link.hidden = true
    if (placeholder instanceof HTMLElement) placeholder.hidden = false
  }
}

customElements.define('image-preview', ImagePreview)
