using System.Diagnostics.CodeAnalysis;
using System.Net;
using CoAP.Groups;
using CoAP.Transports;

namespace CoAP;

/// <summary>The groups that a server joins, and how it answers requests to them (RFC 7252, section 8).</summary>
/// <remarks>
/// Immutable. Only resources that call <see cref="ResourceMulticastExtensions.AnswersMulticast"/> answer. "/.well-known/core" does, so that clients
/// can discover the server. Multicast requests are not protected, so they should not change important state.
/// </remarks>
public sealed record MulticastSettings
{
    /// <summary>
    /// "All CoAP Nodes": 224.0.1.187, ff02::fd (link-local), ff04::fd (admin-local) and ff05::fd (site-local) (RFC 7252, section 12.8; RFC
    /// 10020, section 3.9.1).
    /// </summary>
    public static IReadOnlyList<IPAddress> AllCoapNodes { get; } =
        [IPAddress.Parse("224.0.1.187"), IPAddress.Parse("ff02::fd"), IPAddress.Parse("ff04::fd"), IPAddress.Parse("ff05::fd")];

    /// <summary>The groups. Default: <see cref="AllCoapNodes"/>. Groups of an address family that the server does not listen on are skipped.</summary>
    /// <exception cref="ArgumentException">An address is not a multicast address, or has a zone; <see cref="Interfaces"/> selects the
    /// interfaces.</exception>
    public IReadOnlyList<IPAddress> Groups
    {
        get;
        init
        {
            if (Bound.NoneNull(value).FirstOrDefault(address => !address.IsMulticast()) is { } unicast)
            {
                throw new ArgumentException($"{unicast} is not a multicast address.", nameof(Groups));
            }
            if (value.FirstOrDefault(AddressZones.IsScoped) is { } scoped)
            {
                throw new ArgumentException(
                    $"{scoped} has a zone, which would be ignored. Leave it out, and select the interfaces with {nameof(Interfaces)}.", nameof(Groups));
            }
            field = [.. value];
        }
    } = AllCoapNodes;

    /// <summary>The interfaces on which the server joins the groups when it starts. Default: <see cref="MulticastInterfaces.All"/>.</summary>
    public MulticastInterfaces Interfaces { get; init => field = Bound.NotNull(value); } = MulticastInterfaces.All;

    /// <summary>The port of multicast requests. Default: <see langword="null"/>, the port of the server's first UDP endpoint.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 65,535.</exception>
    /// <exception cref="ArgumentException">5684, the port of DTLS (RFC 10020, section 3.4).</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int? Port
    {
        get;
        init
        {
            if (value is { } port) { GroupPort.ThrowIfOfDtls(port, nameof(Port)); }
            field = Bound.Within(value, 1, ushort.MaxValue);
        }
    }

    /// <summary>
    /// The period over which responses are spread (RFC 7252, section 8.2). Default: <see langword="null"/>, which computes the period if
    /// <see cref="GroupSize"/> is set and otherwise uses <see cref="TransmissionParameters.DefaultLeisure"/>, 5 s.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than a day.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan? Leisure { get; init => field = Bound.Within(value, TimeSpan.Zero, TimeSpan.FromDays(1)); }

    /// <summary>A conservative estimate of the number of members: G in the leisure S * G / R. Default: 0, which means unknown.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or more than 1,000,000.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int GroupSize { get; init => field = Bound.Within(value, 0, 1_000_000); }

    /// <summary>The rate of all responses together, in bytes per second: R in the leisure S * G / R. Default: 1,000.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1, or not a number.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public double TargetRate { get; init => field = Bound.AtLeast(value, 1); } = 1000;

    /// <summary>
    /// The number of responses that may be delayed at a time. Further ones are dropped and counted. Default: 1,024. One account holds at most as many as
    /// are still free.
    /// </summary>
    /// <remarks>
    /// If an account holds more than half of what it may hold, its responses are delayed for a shorter time, down to 1/8 of the period. A
    /// response that finds no place replaces a random one of the same account, from the network (/24 of IPv4, /64 of IPv6) with the most
    /// responses. All unverified addresses share one account, so forged requests make honest ones less likely to be answered.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxPendingAnswers { get; init => field = Bound.AtLeast(value, 1); } = 1024;

    /// <summary>Returns the period for a response of a size.</summary>
    internal TimeSpan LeisureFor(int responseSize, TimeSpan byDefault) =>
        Leisure ?? (GroupSize == 0 ? byDefault : Reliability.Leisure.LowerBound(responseSize, GroupSize, TargetRate));

    /// <summary>Returns the memberships of a server with these endpoints.</summary>
    /// <exception cref="ArgumentException">The groups would have the port of DTLS.</exception>
    internal GroupMembership[] PlacesFor(IReadOnlyList<IPEndPoint> endPoints)
    {
        if (Groups.Count > 0) { GroupPort.ThrowIfOfDtls(Port ?? endPoints[0].Port, nameof(Port)); }
        IPAddress[] local = [.. endPoints.Select(endPoint => endPoint.Address)];
        return [.. Groups.Select(group =>
            new GroupMembership(new IPEndPoint(group, Port ?? 0), Interfaces.Resolve(group.AddressFamily, local), Interfaces.IsStrict))];
    }

    /// <summary>The names of the groups on an in-memory network.</summary>
    internal IEnumerable<PeerIdentity> InMemoryGroups => Groups.Select(group => PeerIdentity.From(group.ToString()));
}
