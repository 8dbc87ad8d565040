/** Backticks mark code. */
export const Worded = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code safe>{part}</code> : <span safe>{part}</span>))}</>
)

/** It scrolls on its own, so it can be reached by keyboard. */
export const Code = ({ label, text }: { label: string; text: string }) => (
  <figure class="code">
    <figcaption safe>{label}</figcaption>
    <pre tabindex="0" role="region" aria-label={label}>
      <code safe>{text}</code>
    </pre>
  </figure>
)
