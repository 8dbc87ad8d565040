/** Whether a click on a link opens it here: the others open a tab or a window, or save it. @param {Event} event */
export const isPlainClick = (event) =>
  event instanceof MouseEvent &&
  event.button === 0 &&
  !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
