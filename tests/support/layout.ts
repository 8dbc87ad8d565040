import type { Page } from 'playwright-core'

/** Widths of windows between the breakpoints of the layout, in CSS pixels. */
export const layoutWidths = [320, 480, 720, 900, 1024, 1200, 1920]

/**
 * The layout faults of the page at the current width: what is wider than the window, texts and controls that cover each
 * other, and wide table columns in which no row has anything.
 */
export const layoutFaults = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    // A window of another width begins transitions, in the middle of which nothing fits.
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(transitions.map(({ finished }) => finished))
    interface Box {
      owner: Element
      rect: DOMRect
      name: string
    }

    const nameOf = (element: Element) =>
      `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${element.textContent?.trim().slice(0, 30)}`

    /** Neither hidden nor in a layer of its own above the page. */
    const isInFlow = (element: Element): boolean => {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
        const { position } = getComputedStyle(at)
        if (position === 'fixed' || position === 'sticky') return false
        if (at.matches('[popover], dialog, .visually-hidden, svg')) return false
      }
      return true
    }

    /** What elements that hide their overflow leave of a rectangle. */
    const clip = (rect: DOMRect, owner: Element): DOMRect => {
      let { left, top, right, bottom } = rect
      for (let at: Element | null = owner; at && at !== document.body; at = at.parentElement) {
        if (getComputedStyle(at).overflow === 'visible') continue
        const frame = at.getBoundingClientRect()
        ;[left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)]
        ;[right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)]
      }
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top))
    }

    /** Without the padding, in which a text area can have badges. */
    const contentOf = (element: Element): DOMRect => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      const { paddingLeft, paddingTop, paddingRight, paddingBottom } = getComputedStyle(element)
      const [x, y] = [left + Number.parseFloat(paddingLeft), top + Number.parseFloat(paddingTop)]
      const width = right - Number.parseFloat(paddingRight) - x
      return new DOMRect(x, y, width, bottom - Number.parseFloat(paddingBottom) - y)
    }

    // A logo lies on the initials, which show until it has loaded.
    const controls = 'button, input, select, textarea, img:not(.avatar > img)'
    const boxes: Box[] = [...document.querySelectorAll(`main :is(${controls})`)]
      .filter(isInFlow)
      .map((owner) => ({ owner, rect: clip(contentOf(owner), owner), name: nameOf(owner) }))
    const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const owner = node.parentElement
      if (!owner || !node.textContent?.trim() || owner.closest(controls) || !isInFlow(owner)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const rect of range.getClientRects()) boxes.push({ owner, rect: clip(rect, owner), name: nameOf(owner) })
    }

    const covers = (one: DOMRect, other: DOMRect): boolean =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4
    // From top to bottom, so that each box meets only those that begin above its lower edge.
    boxes.sort((one, other) => one.rect.top - other.rect.top)
    const overlaps: string[] = []
    for (const [at, box] of boxes.entries()) {
      for (let next = at + 1; next < boxes.length; next += 1) {
        const other = boxes[next]
        if (!other || other.rect.top >= box.rect.bottom) break
        if (other.owner === box.owner || !covers(box.rect, other.rect)) continue
        if (box.owner.contains(other.owner) || other.owner.contains(box.owner)) continue
        overlaps.push(`${box.name} and ${other.name} cover each other`)
      }
    }

    const emptyColumns = [...document.querySelectorAll('main table')].flatMap((table) => {
      if (!(table instanceof HTMLTableElement) || !isInFlow(table)) return []
      if (getComputedStyle(table).display !== 'table') return []
      const rows = [...table.rows].filter((row) => row.cells.length > 1)
      const edges = [
        ...new Set(rows.flatMap((row) => [...row.cells].map((cell) => Math.round(cell.getBoundingClientRect().left)))),
      ]
      return edges.flatMap((left) => {
        const cells = rows.flatMap((row) =>
          [...row.cells].filter(
            (cell) => Math.abs(cell.getBoundingClientRect().left - left) < 2 && cell.offsetWidth > 0,
          ),
        )
        const width = Math.min(...cells.map(({ offsetWidth }) => offsetWidth))
        const isEmpty = cells.every((cell) => !cell.innerText.trim() && !cell.querySelector(controls))
        return cells.length > 0 && isEmpty && width > 64
          ? [`an empty column is ${width} px wide in ${nameOf(table)}`]
          : []
      })
    })

    const { scrollWidth, clientWidth } = document.documentElement
    const wide = scrollWidth > clientWidth ? [...document.querySelectorAll('body *')] : []
    const overflowing = wide
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .map((element) => `${element.outerHTML.slice(0, 80)} overflows the window`)
    return [...overflowing, ...new Set(overlaps), ...emptyColumns]
  })
