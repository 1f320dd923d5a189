namespace CoAP.Transports;

/// <summary>Who is a member of which group on an in-memory network. Safe for concurrent use.</summary>
internal sealed class InMemoryGroups
{
    private readonly Lock _lock = new();
    private readonly Dictionary<PeerIdentity, List<PeerIdentity>> _members = [];

    public void Join(in PeerIdentity group, in PeerIdentity member)
    {
        lock (_lock)
        {
            if (!_members.TryGetValue(group, out var members)) { _members.Add(group, members = []); }
            members.Add(member);
        }
    }

    public void Leave(PeerIdentity member)
    {
        lock (_lock)
        {
            foreach (var members in _members.Values) { members.Remove(member); }
        }
    }

    /// <summary>The members, in the order in which they joined; nothing where there never was one.</summary>
    public PeerIdentity[]? MembersOf(in PeerIdentity group)
    {
        lock (_lock) { return _members.TryGetValue(group, out var members) ? [.. members] : null; }
    }
}
