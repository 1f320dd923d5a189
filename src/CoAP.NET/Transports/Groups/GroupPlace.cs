using System.Net;

namespace CoAP.Transports;

/// <summary>A group to join, and where.</summary>
/// <param name="Group">Its address; port 0 is that of the first unicast socket.</param>
/// <param name="Interfaces">The indexes of the interfaces.</param>
/// <param name="IsStrict">Whether each of them has to accept it; otherwise those that refuse are left out.</param>
internal sealed record GroupPlace(IPEndPoint Group, IReadOnlyList<int> Interfaces, bool IsStrict);
