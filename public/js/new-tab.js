// htmx cancels each click on a link that sends a request, also one that opens its address in a new tab or window.
document.addEventListener(
  'click',
  (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return
    if (event.target instanceof Element && event.target.closest('a[href]:is([hx-get], [hx-post])'))
      event.stopPropagation()
  },
  { capture: true },
)
