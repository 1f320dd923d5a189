using System.Net;
using CoAP.Transports;

namespace CoAP;

/// <summary>The groups that a server is a member of, and how it answers requests to them (RFC 7252, section 8).</summary>
/// <remarks>
/// Immutable. Only resources that allow it answer, see <see cref="ResourceMulticastExtensions.AnswersMulticast"/>: "/.well-known/core" does, so that the server is
/// found. What is received is not protected by anything: do not let a multicast request change something that matters.
/// </remarks>
public sealed record MulticastSettings
{
    private readonly IReadOnlyList<IPAddress> _groups = AllCoapNodes;
    private readonly int? _port;
    private readonly TimeSpan? _leisure;
    private readonly int _groupSize;
    private readonly double _targetRate = 1000;

    /// <summary>"All CoAP Nodes": 224.0.1.187, ff02::fd (link-local) and ff05::fd (site-local) (RFC 7252, section 12.8).</summary>
    public static IReadOnlyList<IPAddress> AllCoapNodes { get; } = [IPAddress.Parse("224.0.1.187"), IPAddress.Parse("ff02::fd"), IPAddress.Parse("ff05::fd")];

    /// <summary>The groups; "All CoAP Nodes" by default. Those of an address family that the server does not listen on are left out.</summary>
    /// <exception cref="ArgumentException">An address is not that of a group.</exception>
    public IReadOnlyList<IPAddress> Groups
    {
        get => _groups;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            if (value.FirstOrDefault(address => !address.IsMulticast()) is { } unicast)
            {
                throw new ArgumentException($"{unicast} is no multicast address.", nameof(value));
            }
            _groups = [.. value];
        }
    }

    /// <summary>The interfaces on which the groups are joined, when the server starts; <see cref="MulticastInterfaces.All"/> by default.</summary>
    public MulticastInterfaces Interfaces { get; init; } = MulticastInterfaces.All;

    /// <summary>The port that requests are sent to; by default that of the server's first UDP endpoint.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 65,535.</exception>
    public int? Port { get => _port; init => _port = Bound.Within(value, 1, ushort.MaxValue); }

    /// <summary>
    /// The time over which answers are spread. By default computed where <see cref="GroupSize"/> is given, otherwise
    /// <see cref="TransmissionParameters.DefaultLeisure"/>, 5 s (RFC 7252, section 8.2).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than a day.</exception>
    public TimeSpan? Leisure { get => _leisure; init => _leisure = Bound.Within(value, TimeSpan.Zero, TimeSpan.FromDays(1)); }

    /// <summary>How many members the groups have, estimated conservatively: G of the leisure S * G / R. 0, the default, says that nobody knows.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or more than 1,000,000.</exception>
    public int GroupSize { get => _groupSize; init => _groupSize = Bound.Within(value, 0, 1_000_000); }

    /// <summary>The rate, in bytes per second, that all answers together may have: R of the leisure S * G / R. 1,000 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1, or not a number.</exception>
    public double TargetRate { get => _targetRate; init => _targetRate = Bound.AtLeast(value, 1); }

    /// <summary>The answers that may wait for their time; 1,024 by default. One more is not sent, and counted.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxPendingAnswers { get; init => field = Bound.AtLeast(value, 1); } = 1024;

    /// <summary>The period for a response of this size.</summary>
    internal TimeSpan LeisureFor(int responseSize, TimeSpan byDefault) =>
        _leisure ?? (_groupSize == 0 ? byDefault : Reliability.Leisure.LowerBound(responseSize, _groupSize, _targetRate));

    /// <summary>Where a server with these endpoints joins.</summary>
    internal GroupMembership[] PlacesFor(IReadOnlyList<IPEndPoint> endPoints)
    {
        IPAddress[] local = [.. endPoints.Select(endPoint => endPoint.Address)];
        return [.. _groups.Select(group =>
            new GroupMembership(new IPEndPoint(group, _port ?? 0), Interfaces.Resolve(group.AddressFamily, local), Interfaces.IsStrict))];
    }

    /// <summary>Their names on an in-memory network.</summary>
    internal IEnumerable<PeerIdentity> InMemoryGroups => _groups.Select(group => PeerIdentity.From(group.ToString()));
}
