/**
 * A filter or "load more" that requests a list from its operation leaves the page's own URL in the address bar: that of the
 * link, or of the form with the fields that are not empty.
 */
document.addEventListener('htmx:before:history:update', (event) => {
  if (!(event instanceof CustomEvent)) return
  const { history, sourceElement } = event.detail
  if (sourceElement instanceof HTMLAnchorElement) history.path = sourceElement.pathname + sourceElement.search
  if (!(sourceElement instanceof HTMLFormElement)) return
  const fields = [...new FormData(sourceElement)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  )
  const query = new URLSearchParams(fields)
  history.path = new URL(sourceElement.action).pathname + (query.size > 0 ? `?${query}` : '')
})
