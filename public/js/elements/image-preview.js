/** An image that can't be loaded is replaced by the placeholder after it, also when a later response brings it again. */
class ImagePreview extends HTMLElement {
  connectedCallback() {
    // It doesn't bubble.
    this.addEventListener('error', () => this.hideImage(), true)
    const image = this.querySelector('img')
    // It can have failed before this script ran.
    if (image?.complete && image.naturalWidth === 0 && image.currentSrc !== '') this.hideImage()
  }

  hideImage() {
    const shown = this.querySelector('a') ?? this.querySelector('img')
    const placeholder = this.querySelector('.pic')
    shown?.remove()
    if (placeholder instanceof HTMLElement) placeholder.hidden = false
  }
}

customElements.define('image-preview', ImagePreview)
