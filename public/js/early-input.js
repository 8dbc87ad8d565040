/**
 * Runs before the page's content, so before anything can be clicked. What people do until the other scripts have run is
 * held and then done: a form that the browser sends by itself stops their loading, and its answer replaces the page.
 */
{
  /** The last form that was sent, or button that was clicked. @type {(() => void) | undefined} */
  let held
  /** Changed fields, with the types of their events. @type {Map<Element, Set<string>>} */
  const changed = new Map()
  let isReady = false
  let isIncomplete = false
  const early = new AbortController()
  const options = { capture: true, signal: early.signal }

  /** @param {Event} event @param {() => void} repeat */
  const hold = (event, repeat) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    for (const form of document.querySelectorAll('form.htmx-request')) form.classList.remove('htmx-request')
    held = repeat
  }

  /** @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
  const send = (form, submitter) => {
    form.classList.remove('htmx-request')
    form.requestSubmit(submitter?.isConnected ? submitter : null)
  }

  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target
      // htmx without the scripts alongside it puts passwords into the address; the browser doesn't.
      if (isReady) return event.stopImmediatePropagation()
      if (!(form instanceof HTMLFormElement) || form.getAttribute('method') === 'dialog') return
      hold(event, () => send(form, event.submitter))
      form.classList.add('htmx-request')
    },
    options,
  )

  document.addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element && event.target.closest('button[type="button"]')
      if (isReady || !(button instanceof HTMLElement) || button.matches('[commandfor], [popovertarget]')) return
      hold(event, () => button.click())
    },
    options,
  )

  for (const type of ['input', 'change'])
    document.addEventListener(
      type,
      ({ target }) => {
        if (isReady || !(target instanceof Element) || !target.matches('input, select, textarea')) return
        changed.set(target, (changed.get(target) ?? new Set()).add(type))
      },
      options,
    )

  document.addEventListener('error', ({ target }) => (isIncomplete ||= target instanceof HTMLScriptElement), options)

  const release = () => {
    isReady = true
    if (!isIncomplete) early.abort()
    for (const [field, types] of changed)
      for (const type of types) field.dispatchEvent(new Event(type, { bubbles: true }))
    held?.()
  }
  // The scripts have run or failed by then, and htmx has a timer of its own before it looks at the page.
  document.addEventListener('DOMContentLoaded', () => setTimeout(release))
}
