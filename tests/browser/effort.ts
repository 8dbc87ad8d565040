import type { Locator, Page } from 'playwright-core'

/** Seconds of the keystroke-level model (Card, Moran, Newell), and those of a page that loads. */
const seconds = { pointing: 1.1, clicks: 0.2, keys: 0.28, decisions: 1.35, loads: 1 }
const names = ['pointing', 'clicks', 'keys', 'decisions', 'loads'] as const
type Counts = Record<(typeof names)[number], number>

/** Works a page as a person does, and counts what it takes. Each action is decided on before; going there is a part of it. Text is pasted. */
export class Effort {
  readonly counts: Counts = { pointing: 0, clicks: 0, keys: 0, decisions: 0, loads: 0 }

  readonly page: Page

  constructor(page: Page) {
    this.page = page
    page.on('load', () => (this.counts.loads += 1))
  }

  async click(target: Locator): Promise<void> {
    this.add({ decisions: 1, pointing: 1, clicks: 1 })
    await target.click()
  }

  /** What is shown at the pointer. */
  async clickIn(area: Locator, target: Locator): Promise<void> {
    this.add({ pointing: 1 })
    await area.hover()
    await this.click(target)
  }

  async drag(from: Locator, to: Locator): Promise<void> {
    this.add({ decisions: 1, pointing: 2, clicks: 2 })
    await from.dragTo(to)
  }

  /** With the browser's menu: a right click and its entry. */
  async pasteByMouse(text: string): Promise<void> {
    this.add({ decisions: 1, pointing: 2, clicks: 2 })
    await this.page.keyboard.insertText(text)
  }

  async paste(text: string): Promise<void> {
    this.add({ decisions: 1, keys: 2 })
    await this.page.keyboard.insertText(text)
  }

  /** A shortcut such as `Control+Enter` has two keys. */
  async press(...shortcuts: string[]): Promise<void> {
    this.add({ decisions: 1 })
    await this.strike(...shortcuts)
  }

  /** Presses Tab until the element has the focus, backward where it is before. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' })
    await this.strikeUntil(async () => {
      const way = await target.evaluate((element) => {
        const active = document.activeElement
        if (active === element) return 'here'
        const isBefore = active && active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING
        return isBefore ? 'before' : 'after'
      })
      return way === 'here' ? null : way === 'before' ? 'Shift+Tab' : 'Tab'
    })
  }

  /** Presses what the function says until it says null, such as arrow keys. */
  async walk(next: () => Promise<string | null>): Promise<void> {
    this.add({ decisions: 1 })
    await this.strikeUntil(next)
  }

  get minutes(): number {
    const total = names.reduce((sum, name) => sum + this.counts[name] * seconds[name], 0)
    return total / 60
  }

  describe(subject: string): string {
    const counts = names.map((name) => `${this.counts[name]} ${name}`)
    return `${subject}: ${this.minutes.toFixed(1)} minutes of a person (${counts.join(', ')})`
  }

  private async strikeUntil(next: () => Promise<string | null>): Promise<void> {
    // A month that begins on a Friday has more days of the one before to pass.
    for (let steps = 0; steps < 200; steps += 1) {
      const key = await next()
      if (key === null) return
      await this.strike(key)
    }
    throw new Error('Two hundred keys don’t lead there')
  }

  private async strike(...shortcuts: string[]): Promise<void> {
    for (const shortcut of shortcuts) {
      this.add({ keys: shortcut.split('+').length })
      await this.page.keyboard.press(shortcut)
    }
  }

  private add(more: Partial<Counts>): void {
    for (const name of names) this.counts[name] += more[name] ?? 0
  }
}
