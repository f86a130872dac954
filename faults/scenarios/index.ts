import type { Scenario } from '../perform.ts'
import { changedRuleset } from './changed-ruleset.ts'
import { droppedConnections } from './dropped-connections.ts'
import { followedFeed, followedFeedOnCluster, followedFeedThroughPooler } from './followed-feed.ts'
import { frozenDatabase } from './frozen-database.ts'
import { fullDisk } from './full-disk.ts'
import { idleConnections } from './idle-connections.ts'
import { killedCoordinator } from './killed-coordinator.ts'
import { killedDatabase } from './killed-database.ts'
import { killedDeliveries, killedDeliveriesOnCluster, killedDeliveriesThroughPooler } from './killed-deliveries.ts'
import { killedService } from './killed-service.ts'
import { killedWorker } from './killed-worker.ts'
import { lateBody } from './late-body.ts'
import { leavingService } from './leaving-service.ts'
import { loweredRoles } from './lowered-roles.ts'
import { movedShards } from './moved-shards.ts'
import { randomRequests } from './random-requests.ts'
import { redisOutage } from './redis-outage.ts'
import { slowClients } from './slow-clients.ts'
import { starvingCaller } from './starving-caller.ts'
import { stormOfOneClient } from './storm-of-one-client.ts'
import { unreadReplies } from './unread-replies.ts'

export const scenarios: Scenario[] = [
  killedService,
  killedDatabase,
  frozenDatabase,
  leavingService,
  redisOutage,
  fullDisk,
  droppedConnections,
  slowClients,
  idleConnections,
  starvingCaller,
  lateBody,
  stormOfOneClient,
  unreadReplies,
  followedFeed,
  loweredRoles,
  killedDeliveries,
  changedRuleset,
  randomRequests,
  // These have databases of their own, for which the other one is stopped. The last ones share a cluster.
  killedDeliveriesThroughPooler,
  followedFeedThroughPooler,
  killedDeliveriesOnCluster,
  followedFeedOnCluster,
  movedShards,
  killedWorker,
  killedCoordinator,
]
