import { inputIn, refusalIn } from './media-tile.js'

/** The dialog of the composer that saves a cropped or rotated copy of an image and uses it instead. */
export class CropDialog {
  /** @type {HTMLElement | null} */
  tile = null

  /** @param {HTMLDialogElement} dialog @param {{ replace(tile: HTMLElement, media: any): void }} options */
  constructor(dialog, options) {
    this.dialog = dialog
    this.options = options
    this.save = dialog.querySelector('[data-save-copy]')
    this.save?.addEventListener('click', () => void this.crop())
  }

  /** @param {HTMLElement} tile */
  open(tile) {
    this.tile = tile
    for (const field of this.dialog.querySelectorAll('select')) field.selectedIndex = 0
    const [image, shown] = [this.dialog.querySelector('img'), tile.querySelector('img')]
    if (image && shown) image.src = shown.src
    this.say('')
    this.dialog.showModal()
  }

  async crop() {
    const { tile, dialog, save } = this
    if (!tile || !(save instanceof HTMLButtonElement)) return
    const fields = [...dialog.querySelectorAll('select')].map(({ name, value }) => [name, value])
    save.disabled = true
    const response = await fetch(`/api/media/${inputIn(tile, '[data-id]')?.value}/crop`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(fields)),
    }).catch(() => null)
    const body = await response?.json().catch(() => null)
    save.disabled = false
    if (!response?.ok) return this.say(refusalIn(body))
    dialog.close()
    this.options.replace(tile, body)
  }

  /** @param {string} words */
  say(words) {
    const error = this.dialog.querySelector('[role="alert"]')
    if (error) error.textContent = words
  }
}
