/**
 * htmx sends the form around a button with the button's own request. One with `data-sends-nothing` sends no fields: its
 * operation refuses what it doesn't know.
 */
document.addEventListener('htmx:config:request', (event) => {
  if (!(event instanceof CustomEvent)) return
  const { sourceElement, request } = event.detail.ctx
  if (!(sourceElement instanceof Element) || !sourceElement.matches('[data-sends-nothing]')) return
  const fields = request.body
  for (const name of new Set(fields.keys())) fields.delete(name)
})
