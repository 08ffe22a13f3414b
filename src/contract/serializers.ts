import {
  type RouteDefinition,
  type Serializer,
  type SerializerFactory,
  SerializerSelector,
} from '@fastify/fast-json-stringify-compiler'

const made = new WeakMap<object, Serializer>()

/**
 * What Fastify writes responses with. Each is compiled by the first response that needs it, for all operations with the
 * same schema: to compile all of them was a third of the CPU time of a start.
 */
export const serializersOnDemand: SerializerFactory = (shared, options) => {
  const compile = SerializerSelector()(shared, options)
  const serializerOf = (route: RouteDefinition): Serializer => {
    const schema = route.schema as object
    const serialize = made.get(schema) ?? compile(route)
    made.set(schema, serialize)
    return serialize
  }
  return (route) => {
    let serialize: Serializer | undefined
    return (payload: unknown) => {
      serialize ??= serializerOf(route)
      return serialize(payload)
    }
  }
}
