namespace CoAP.Testing;

/// <summary>The numbers of datagrams on a <see cref="SimulatedNetwork"/>.</summary>
/// <param name="Sent">Datagrams that were sent.</param>
/// <param name="Lost">Sent datagrams that do not arrive, because of loss, a partition or <see cref="SimulatedNetwork.Drop"/>.</param>
/// <param name="Repeated">Sent datagrams that arrive twice.</param>
public readonly record struct NetworkCounters(long Sent, long Lost, long Repeated);
