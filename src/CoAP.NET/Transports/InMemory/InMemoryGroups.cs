namespace CoAP.Transports;

/// <summary>The multicast groups of an <see cref="InMemoryNetwork"/> and their members. Safe for concurrent use.</summary>
internal sealed class InMemoryGroups
{
    private readonly Lock _lock = new();
    private readonly Dictionary<PeerIdentity, List<PeerIdentity>> _members = [];

    /// <summary>Adds a member to a group.</summary>
    public void Join(in PeerIdentity group, in PeerIdentity member)
    {
        lock (_lock)
        {
            if (!_members.TryGetValue(group, out var members)) { _members.Add(group, members = []); }
            members.Add(member);
        }
    }

    /// <summary>Removes a member from all groups.</summary>
    public void Leave(PeerIdentity member)
    {
        lock (_lock)
        {
            foreach (var members in _members.Values) { members.Remove(member); }
        }
    }

    /// <summary>Returns the members in the order in which they joined. <see langword="null"/> if the group never had a member.</summary>
    public PeerIdentity[]? MembersOf(in PeerIdentity group)
    {
        lock (_lock) { return _members.TryGetValue(group, out var members) ? [.. members] : null; }
    }
}
