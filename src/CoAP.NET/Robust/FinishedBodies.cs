using CoAP.Accounting;

namespace CoAP.Robust;

/// <summary>The completed request bodies that a lane remembers, by account (RFC 9177, section 4.3).</summary>
/// <remarks>If an account has used up its share, its oldest body is forgotten. If nothing is free, the oldest body of all is forgotten.</remarks>
internal sealed class FinishedBodies(int limit)
{
    private readonly LedgerBook _shares = new(limit, limit);
    private readonly LinkedList<RobustRequestBody> _all = new();
    private readonly Dictionary<Account, LinkedList<RobustRequestBody>> _ofOwners = [];

    /// <summary>Returns the body that is forgotten to make room for another one of an account; <see langword="null"/> if there is room.</summary>
    public RobustRequestBody? FindExcess(in Account account) =>
        _shares.HasRoom(account, 1) ? null : OldestOf(account) ?? _all.First?.Value;

    /// <summary>Returns the oldest body of an account; <see langword="null"/> if it has none.</summary>
    public RobustRequestBody? OldestOf(in Account account) => _ofOwners.GetValueOrDefault(account.Widest)?.First!.Value;

    /// <summary>Adds a body.</summary>
    public void Add(RobustRequestBody body)
    {
        var account = body.Body.Account;
        _shares.Take(account);
        if (!_ofOwners.TryGetValue(account.Widest, out var ofOwner)) { _ofOwners[account.Widest] = ofOwner = new(); }
        (body.Place, body.PlaceOfOwner) = (_all.AddLast(body), ofOwner.AddLast(body));
    }

    /// <summary>Removes a body. Returns <see langword="false"/> if it is not finished.</summary>
    public bool Remove(RobustRequestBody body)
    {
        if (body is not { Place: { } place, PlaceOfOwner: { } placeOfOwner }) { return false; }
        var account = body.Body.Account;
        _shares.Release(account);
        _all.Remove(place);
        var ofOwner = placeOfOwner.List!;
        ofOwner.Remove(placeOfOwner);
        if (ofOwner.Count == 0) { _ofOwners.Remove(account.Widest); }
        return true;
    }
}
