import { AsyncResource } from 'node:async_hooks'

// Created when the service starts, where no request is running.
const start = new AsyncResource('detached')

/** Runs work that goes on after the request that caused it. Otherwise its statements would count as part of the trace of that request. */
export const detached = <T>(work: () => T): T => start.runInAsyncScope(work)
