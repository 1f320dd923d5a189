using System.Net;

namespace CoAP.Transports;

/// <summary>A multicast group to join, and the interfaces to join it on.</summary>
/// <param name="Group">The address of the group. Port 0 stands for the port of the first unicast socket.</param>
/// <param name="Interfaces">The indexes of the interfaces.</param>
/// <param name="IsStrict">Whether a failure on one interface is an error. Otherwise interfaces that fail are skipped.</param>
internal sealed record GroupMembership(IPEndPoint Group, IReadOnlyList<int> Interfaces, bool IsStrict);
