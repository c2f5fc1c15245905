@http(port: 9000)
composition "Parcels" {
  state { count: 2 }
  object "Create" { route: "/parcels" method: POST body: { to: "string", grams: "number" } description: "Registers a parcel."
    on_request(r) { state.count += 1 } }
  object "Track" { route: "/parcels/:code" method: GET description: "Where a parcel is." }
  object "Cancel" { path: "/parcels/:code" method: DELETE }
  object "Zones" { path: "/zones" method: "GET" query: { country: "string" } }
}
