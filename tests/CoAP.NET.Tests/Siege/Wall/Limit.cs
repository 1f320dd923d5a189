using CoAP.Accounting;

namespace CoAP.Tests.Siege.Wall;

/// <summary>A limit of the ledger, how an attacker fills it, and how an honest peer uses it.</summary>
internal abstract record Limit
{
    protected const string Challenged = "4.01";
    protected const string TooManyRequests = "4.29";
    protected const string Unavailable = "5.03";

    private static readonly Limit[] All =
    [
        new RequestsLimit(), new StepsLimit(), new UserBlocksLimit(), new HandlerQueueLimit(), new HandlerThreadsLimit(), new BodyThreadsLimit(), new BodiesLimit(),
        new ObservationsLimit(), new ObservedBodiesLimit(), new ObservedOptionsLimit(), new AuthorizationsLimit(), new HandlerBytesLimit(), new QueuedBytesLimit(),
        new AuthorizerBytesLimit(), new UserBlockBytesLimit(),
    ];

    protected static readonly string Block = new('x', 512);

    /// <summary>The name of the limit.</summary>
    public abstract string Name { get; }

    /// <summary>The name of its book.</summary>
    public virtual string Book => Name;

    /// <summary>The request that an attacker sends again and again.</summary>
    public abstract string Attack { get; }

    /// <summary>Returns the limit with this name.</summary>
    public static Limit Named(string name) => All.Single(limit => limit.Name == name);

    /// <summary>The book of this limit.</summary>
    public LedgerBook BookOf(Ledger ledger) => ledger.Books.Single(one => one.Resource == Book).Book;

    /// <summary>Sets the limit.</summary>
    public virtual CoapServerSettings Apply(CoapServerSettings settings, Fortress fortress) => settings;

    /// <summary>The steps of the server.</summary>
    public virtual Func<RequestDelegate, RequestDelegate>[] StepsOf(Fortress fortress) => [];

    /// <summary>Returns what an attacker gets above its share.</summary>
    public virtual string RefusalOf(AttackerKind attacker) => attacker == AttackerKind.Forged ? Challenged : TooManyRequests;

    /// <summary>Returns whether an attacker that was refused holds what it may hold.</summary>
    public virtual bool IsFilled(AttackerKind attacker, LedgerBook book) => book.Used == (attacker == AttackerKind.Forged ? book.Limit / 8 : book.Limit / 2);

    /// <summary>Uses the limit as an honest peer does, and asserts that it is served.</summary>
    public abstract Task ServeAsync(Guest honest, Fortress fortress);

    public sealed override string ToString() => Name;
}
