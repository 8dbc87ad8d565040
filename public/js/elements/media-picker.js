import { showError, fail, inputIn, label, show, fileProblem } from '../lib/media-tile.js'
import { assignPost, drawPostChoice, postOf, removePostOf } from '../lib/thread-images.js'

/** Milliseconds between questions whether a file is read. */
const watchEvery = 1_500

export class MediaPicker extends HTMLElement {
  /** @type {Promise<unknown>} */
  turn = Promise.resolve()
  /** @type {WeakMap<HTMLElement, File>} */
  files = new WeakMap()
  /** What networks say about each file. @type {WeakMap<HTMLElement, import('../lib/media-tile.js').Fit[]>} */
  fits = new WeakMap()
  /** @type {import('../lib/library-dialog.js').LibraryDialog | null} */
  library = null
  /** @type {import('../lib/crop-dialog.js').CropDialog | null} */
  cropper = null
  isSortable = false
  /** The post of a thread that new images belong to, from 0. */
  post = 0

  connectedCallback() {
    const around = this.closest('post-composer') ?? this
    this.addEventListener('change', (event) => this.chosen(event))
    this.addEventListener('input', (event) => assignPost(event))
    around.addEventListener('click', (event) => this.clicked(event))
    around.addEventListener('paste', (event) => this.pasted(event))
    for (const type of ['dragover', 'dragleave', 'drop']) around.addEventListener(type, (event) => this.dragged(event))
    // It doesn't bubble.
    this.addEventListener('error', (event) => this.hideImage(event), true)
    this.changed()
    for (const tile of this.uploaded) void this.watch(tile)
  }

  /** Once there is something to sort. */
  async makeSortable() {
    const grid = this.querySelector('.media-grid')
    if (!(grid instanceof HTMLElement) || this.isSortable || this.tiles.length === 0) return
    this.isSortable = true
    const { sortByDragging } = await import('../lib/drag-tiles.js')
    sortByDragging(grid, (tile) => this.moved(tile))
  }

  // Few people who open the composer need a dialog: its code is loaded when they do.

  async openLibrary() {
    const dialog = this.querySelector('dialog')
    const { LibraryDialog } = await import('../lib/library-dialog.js')
    const { brand: brandId = '' } = this.dataset
    if (dialog) this.library ??= new LibraryDialog(dialog, { brandId, add: (files) => this.addStored(files) })
    this.library?.open()
  }

  /** @param {HTMLElement} tile */
  async openCropper(tile) {
    const dialog = (this.closest('post-composer') ?? this).querySelector('#crop-image')
    const { CropDialog } = await import('../lib/crop-dialog.js')
    if (dialog instanceof HTMLDialogElement)
      this.cropper ??= new CropDialog(dialog, { replace: this.showCopy.bind(this) })
    this.cropper?.open(tile)
  }

  async openGenerator() {
    const { openGenerateDialog } = await import('../lib/generate-dialog.js')
    await openGenerateDialog({ add: (images) => this.addStored(images) })
  }

  /** @param {Promise<void>} opening */
  reportUnloaded(opening) {
    opening.catch(() => this.say('The server can’t be reached. Try again.'))
  }

  /** @param {HTMLElement} tile @param {any} media */
  showCopy(tile, media) {
    this.place(tile, media)
    this.say(`${media.name} is used.`)
  }

  /** @param {{ id: string, alt: string }[]} files of the library */
  addStored(files) {
    const present = new Set(this.images.map(({ id }) => id))
    const added = files.filter(({ id }) => !present.has(id)).map(({ id: mediaId, alt }) => ({ mediaId, alt }))
    for (const { mediaId, alt } of added) {
      const tile = this.makeStored(mediaId)
      const field = tile && inputIn(tile, '[data-alt]')
      if (field) field.value = alt
      if (tile) this.querySelector('.media-grid')?.lastElementChild?.before(tile)
    }
    this.changed()
    this.say(`${added.length} ${added.length === 1 ? 'file' : 'files'} added.`)
  }

  /** @param {HTMLElement} tile */
  moved(tile) {
    this.changed()
    this.say(`File ${this.tiles.indexOf(tile) + 1} of ${this.tiles.length}.`)
  }

  get tiles() {
    return [...this.querySelectorAll('li.attach')].filter((tile) => tile instanceof HTMLElement)
  }

  get kept() {
    return this.tiles.filter(({ dataset }) => dataset.state !== 'failed')
  }

  get uploaded() {
    return this.tiles.filter((tile) => inputIn(tile, '[data-id]')?.value)
  }

  get images() {
    return this.uploaded.map((tile) => ({
      id: inputIn(tile, '[data-id]')?.value ?? '',
      alt: inputIn(tile, '[data-alt]')?.value ?? '',
      post: postOf(tile),
      hasPreview: tile.querySelector('img:not([hidden])') !== null,
    }))
  }

  /** Why the post can't be saved yet; empty when it can. @param {{ isDraft: boolean }} options */
  faultOf({ isDraft }) {
    if (this.kept.length < this.tiles.length) return 'Remove or retry the files that failed to upload.'
    if (this.uploaded.length < this.tiles.length) return 'Wait until all files are uploaded.'
    const isReady = isDraft || this.tiles.every(({ dataset }) => dataset.status !== 'processing')
    return isReady ? '' : 'Wait until all files are processed, or save a draft.'
  }

  /** Shows these images of the library. @param {{ mediaId: string, alt: string, part?: number }[]} images */
  replace(images) {
    const before = new Map(this.uploaded.map((tile) => [inputIn(tile, '[data-id]')?.value, tile]))
    const tiles = images.flatMap(({ mediaId, alt, part = 0 }) => {
      const tile = before.get(mediaId) ?? this.makeStored(mediaId)
      if (tile) tile.dataset.post = String(part)
      const field = tile && inputIn(tile, '[data-alt]')
      if (field) field.value = alt
      return tile ?? []
    })
    for (const tile of this.tiles) if (!tiles.includes(tile)) tile.remove()
    for (const tile of tiles) this.querySelector('.media-grid')?.lastElementChild?.before(tile)
    this.changed()
  }

  /** @param {string} id */
  makeStored(id) {
    const tile = this.makeTile()
    const field = tile && inputIn(tile, '[data-id]')
    if (!tile || !field) return null
    field.value = id
    void fetch(`/api/media/${id}`, { headers: { accept: 'application/json' } })
      .then(async (response) => {
        if (!response.ok) return tile.remove()
        this.place(tile, await response.json())
      })
      .catch(() => fail(tile, 'The file can’t be loaded.'))
      .finally(() => this.changed())
    return tile
  }

  /** Shows a file of the library in a tile. @param {HTMLElement} tile @param {any} media */
  place(tile, media) {
    this.fits.delete(tile)
    show(tile, media)
    this.changed()
    void this.watch(tile)
  }

  /** Until the file is read; then it asks which networks accept it. @param {HTMLElement} tile */
  async watch(tile) {
    const id = inputIn(tile, '[data-id]')?.value
    const isShown = () => tile.isConnected && inputIn(tile, '[data-id]')?.value === id
    while (tile.dataset.status === 'processing' && isShown()) {
      await new Promise((resolve) => setTimeout(resolve, watchEvery))
      const media = await read(`/api/media/${id}`)
      if (media && media.status !== 'processing' && isShown()) show(tile, media)
    }
    const fits = await read(`/api/media/${id}/networks`)
    if (!fits || !isShown()) return
    this.fits.set(tile, fits.items)
    // Nothing that has to be saved.
    this.dispatchEvent(new Event('checked', { bubbles: true }))
  }

  /** @param {Event} event */
  hideImage({ target }) {
    if (!(target instanceof HTMLImageElement)) return
    target.hidden = true
    target.closest('.attach')?.querySelector('.blank')?.removeAttribute('hidden')
  }

  /** @param {Event} event */
  chosen({ target }) {
    if (!(target instanceof HTMLInputElement) || target.type !== 'file') return
    this.add([...(target.files ?? [])])
    target.value = ''
  }

  /** @param {Event} event */
  pasted(event) {
    const files = event instanceof ClipboardEvent ? [...(event.clipboardData?.files ?? [])] : []
    if (files.length === 0) return
    event.preventDefault()
    this.add(files)
  }

  /** @param {Event} event */
  dragged(event) {
    if (!(event instanceof DragEvent) || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    this.querySelector('.drop')?.toggleAttribute('data-over', event.type === 'dragover')
    if (event.type === 'drop') this.add([...event.dataTransfer.files])
  }

  /** @param {Event} event */
  clicked(event) {
    const { target } = event
    if (!(target instanceof Element)) return
    if (target.closest('[data-generate]')) {
      event.preventDefault()
      this.reportUnloaded(this.openGenerator())
    }
    if (target.closest('[data-add-images]')) inputIn(this, '[type="file"]')?.click()
    if (target.closest('[data-from-library]')) this.reportUnloaded(this.openLibrary())
    const tile = target.closest('li.attach')
    if (!(tile instanceof HTMLElement)) return
    if (target.closest('[data-take-out]')) this.takeOut(tile)
    if (target.closest('[data-crop]')) this.reportUnloaded(this.openCropper(tile))
    if (target.closest('[data-try-again]')) this.tryAgain(tile)
    const move = target.closest('[data-move]')
    if (move instanceof HTMLButtonElement) this.move(tile, Number(move.dataset.move), move)
  }

  /** @param {File[]} files */
  add(files) {
    for (const file of files) {
      const made = this.makeTile(file)
      if (!made) return
      this.querySelector('.media-grid')?.lastElementChild?.before(made)
      this.turn = this.turn.then(() => this.upload(made, file))
    }
    this.changed()
  }

  /** @param {File} [file] */
  makeTile(file) {
    const template = this.querySelector('template')
    const made = template && document.importNode(template.content, true).querySelector('li')
    if (!made) return null
    made.dataset.name = file?.name ?? ''
    made.dataset.post = String(this.post)
    if (file) this.files.set(made, file)
    return made
  }

  /** @param {HTMLElement} tile */
  tryAgain(tile) {
    const file = this.files.get(tile)
    const made = file && this.makeTile(file)
    if (!made) return
    const [from, to] = [inputIn(tile, '[data-alt]'), inputIn(made, '[data-alt]')]
    if (from && to) to.value = from.value
    made.dataset.post = tile.dataset.post
    tile.replaceWith(made)
    this.turn = this.turn.then(() => this.upload(made, file))
    this.changed()
    to?.focus()
  }

  /**
   * One upload at a time, since the server accepts only a few files of an organization at once.
   * @param {HTMLElement} tile
   * @param {File} file
   */
  async upload(tile, file) {
    if (!tile.isConnected) return
    const { promise, resolve } = Promise.withResolvers()
    /** @param {string} reason @param {{ canRetry: boolean }} options */
    const failed = (reason, options) => {
      fail(tile, reason, options)
      this.changed()
      this.say(`${file.name} is not uploaded.`)
      resolve(undefined)
    }
    const reports = {
      progress: (/** @type {number} */ sent) => {
        const bar = tile.querySelector('progress')
        if (bar) bar.value = sent
      },
      processing: () => {},
      done: async (/** @type {string | null} */ id) => {
        const media = await read(`/api/media/${id}`)
        if (!media) return failed('The file can’t be loaded.', { canRetry: true })
        this.place(tile, media)
        this.say(`${file.name} is uploaded.`)
        resolve(undefined)
      },
      failed,
      interrupted: () => failed('The upload failed. Check your connection.', { canRetry: true }),
    }
    try {
      const { send } = await import('../lib/send-file.js')
      await send(this.dataset.brand ?? '', file, reports)
    } catch {
      failed('The uploader can’t be loaded. Check your connection.', { canRetry: true })
    }
    await promise
  }

  /** @param {HTMLElement} tile */
  takeOut(tile) {
    const next = tile.nextElementSibling?.querySelector('[data-take-out], [type="file"]')
    tile.remove()
    this.changed()
    if (next instanceof HTMLElement) next.focus()
  }

  /**
   * @param {HTMLElement} tile
   * @param {number} by
   * @param {HTMLButtonElement} button
   */
  move(tile, by, button) {
    const other = this.tiles[this.tiles.indexOf(tile) + by]
    if (by < 0) other?.before(tile)
    else other?.after(tile)
    this.moved(tile)
    // A move button is disabled at the end of the list, so the other one gets the focus.
    const next = button.disabled ? tile.querySelector('[data-move]:enabled') : button
    if (next instanceof HTMLElement) next.focus()
  }

  changed() {
    const { tiles } = this
    void this.makeSortable().catch(() => (this.isSortable = false))
    tiles.forEach((tile, at) => label(tile, at, tiles.length))
    this.dispatchEvent(new Event('input', { bubbles: true }))
  }

  /** @param {number} post */
  removePost(post) {
    removePostOf(this.tiles, post)
    this.post = 0
    this.changed()
  }

  /**
   * Names the form's fields, and shows which of these networks don't accept an image.
   * @param {string[]} lists of each post of a thread, such as `thread[0].media`
   * @param {import('../lib/media-tile.js').Network[]} networks
   */
  draw(lists, networks) {
    for (const tile of this.tiles) drawPostChoice(tile, lists.length)
    const next = lists.map(() => 0)
    for (const tile of this.uploaded) {
      const post = postOf(tile)
      const at = next[post] ?? 0
      next[post] = at + 1
      inputIn(tile, '[data-id]')?.setAttribute('name', `${lists[post]}[${at}].mediaId`)
      inputIn(tile, '[data-alt]')?.setAttribute('name', `${lists[post]}[${at}].alt`)
      if (tile.dataset.status === 'failed') continue
      const siblings = this.kept.filter((other) => postOf(other) === post)
      showError(tile, fileProblem(tile, { fits: this.fits.get(tile) ?? [], siblings, networks }))
    }
  }

  /** @param {string} words */
  say(words) {
    const news = this.querySelector('[data-news]')
    if (news) news.textContent = words
  }
}

/** @param {string} path @returns {Promise<any>} null when it can't be read */
async function read(path) {
  const response = await fetch(path, { headers: { accept: 'application/json' } }).catch(() => null)
  return response?.ok ? response.json() : null
}

customElements.define('media-picker', MediaPicker)
