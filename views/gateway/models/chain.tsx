import { modelOf } from './words.ts'

/** In the order in which they are tried. */
export const Chain = ({ models }: { models: string[] }) => (
  <ol class="chain">
    {models.map((ref) => (
      <li>
        <code class="wrap-anywhere" title={ref} safe>
          {modelOf(ref)}
        </code>
      </li>
    ))}
  </ol>
)
