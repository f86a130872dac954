import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { text } from '../text.ts'
import { TextField } from './field.tsx'
import { useForm } from './form.ts'
import { FormDialog } from './form-dialog.tsx'

interface ConfirmNameProps {
  title: string
  /** The name that must be entered. */
  name: string
  label: string
  children: ComponentChildren
  action: string
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks the person to enter the name of a resource before it is deleted or archived with everything in it. */
export function ConfirmName({ title, name, label, children, action, busy, onConfirm, onClose }: ConfirmNameProps) {
  const [isRefused, setRefused] = useState(false)
  const form = useForm({ name: '' }, async ({ values }) => {
    const isRight = values.name.trim() === name.trim()
    setRefused(!isRight)
    if (isRight && !busy) onConfirm()
  })
  return (
    <FormDialog title={title} action={action} look="danger" of={{ ...form, busy }} onClose={onClose}>
      {children}
      <TextField label={label} {...form.input('name')} error={isRefused ? text.otherName(name) : undefined} autofocus />
    </FormDialog>
  )
}
