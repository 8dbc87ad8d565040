/**
 * htmx sends the fields of the form around a button with the button's own request. A button with `data-sends-nothing`
 * sends none, since its operation refuses unknown fields.
 */
document.addEventListener('htmx:config:request', (event) => {
  if (!(event instanceof CustomEvent)) return
  const { sourceElement, request } = event.detail.ctx
  if (!(sourceElement instanceof Element) || !sourceElement.matches('[data-sends-nothing]')) return
  const fields = request.body
  for (const name of new Set(fields.keys())) fields.delete(name)
})
