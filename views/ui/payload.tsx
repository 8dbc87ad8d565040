/** Anything but JSON stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** A long one scrolls on its own, so it can be reached by keyboard. */
export const Payload = ({ label, text }: { label: string; text: string }) => (
  <pre class="payload" tabindex="0" role="region" aria-label={label} safe>
    {text}
  </pre>
)
