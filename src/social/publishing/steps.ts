/** The steps of publishing a post, as an observer is told of them. */
type Step = 'claiming' | 'claimed' | 'fenced' | 'sending' | 'answered' | 'settling' | 'settled'

/** Told of each step; a post's id but for `claiming`. */
export type Observe = (step: Step, postId: string | null) => void

/** Milliseconds after which a request is on its way and its provider at work. */
const underWay = 40

/**
 * In tests, kills this process at the n-th time that it takes a step: `KILL_AT=fenced:3`. A third part is another
 * signal than SIGKILL: `fenced:3:SIGSTOP` makes it stand still.
 */
export function killAt(setting: string | undefined): Observe {
  if (!setting) return () => {}
  const [wanted, nth = '1', signal = 'SIGKILL'] = setting.split(':')
  let left = Number(nth)
  return (step) => {
    if (step !== wanted || --left !== 0) return
    const act = () => process.kill(process.pid, signal)
    if (step === 'sending') setTimeout(act, underWay)
    else act()
  }
}
