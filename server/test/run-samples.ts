import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMarkdown, root, type Sample } from './markdown.ts'
import type { Comparison } from './sample-output.ts'
import type { Shell } from './shell.ts'

/** Lines about the machine, not about the service. */
const MACHINE_LINES = /disk space|Free some|rows so far/

const withoutMachineLines = (output: string) =>
  output
    .split('\n')
    .filter((line) => !MACHINE_LINES.test(line))
    .join('\n')

interface Update {
  start: number
  end: number
  text: string
}

/** The result of running samples: the differences between documents and reality, and the texts that would remove them. */
export interface SampleRun {
  faults: string[]
  updates: Update[]
}

/** Runs the commands of a document one after the other, and compares what they print with the block below each. */
export async function runSamples(file: string, samples: Sample[], shell: Shell, comparison: Comparison): Promise<SampleRun> {
  const faults: string[] = []
  const updates: Update[] = []
  for (const { commands, output } of samples) {
    const { code, output: real } = await shell.run(comparison.toReal(commands.text))
    const varies = /^varies: (.+)$/.exec(output?.comment ?? '')?.[1]?.split(', ') ?? []
    const isShown = output ? comparison.matches(withoutMachineLines(output.text), withoutMachineLines(real), varies) : real.trim() === ''
    if (code !== 0 || !isShown)
      faults.push(`${file}:${commands.line} ended with ${code}\n--- shown\n${output?.text ?? ''}\n--- printed\n${real}`)
    if (output && code === 0 && !isShown) updates.push({ ...output, text: comparison.update(output.text, real, varies) })
  }
  return { faults, updates }
}

/** Writes the real output of commands into a document. */
export function updateSamples(file: string, updates: Update[]): void {
  const updated = updates.reduceRight(
    (text, update) => text.slice(0, update.start) + update.text + text.slice(update.end),
    readMarkdown(file),
  )
  writeFileSync(join(root, file), updated)
}
