namespace CoAP.Groups;

/// <summary>An answer to a group that waits for the end of its leisure.</summary>
/// <param name="origin">Who is charged for the answer, and from where the request came.</param>
internal abstract class WaitingAnswer(AnswerOrigin origin)
{
    public AnswerOrigin Origin => origin;

    /// <summary>The place among the answers of the same origin. Used by <see cref="WaitingAnswers{T}"/> alone.</summary>
    public int Place { get; set; }
}

/// <summary>The account that is charged for an answer, and the network of the sender.</summary>
internal readonly record struct AnswerOrigin(Account Account, Account Network) : ISeededKey
{
    public override int GetHashCode() => SeededHash.Combine(Account.GetHashCode(), Network.GetHashCode());
}

/// <summary>The answers of a lane to groups that wait, by origin. Selects one to drop when there are too many.</summary>
/// <remarks>
/// All unverified senders have one account. A sender that forges many addresses therefore fills it, and nothing tells its requests from
/// honest ones, except that forged addresses are often in few networks. So an answer of the network with the most answers is dropped. Among
/// equals, chance decides: if the newest were dropped, a constant flood would leave no place for anyone else.
/// </remarks>
internal sealed class WaitingAnswers<T> where T : WaitingAnswer
{
    private readonly Dictionary<AnswerOrigin, List<T>> _answers = [];

    /// <summary>The number of networks with answers.</summary>
    public int Count => _answers.Count;

    public void Add(T answer)
    {
        if (!_answers.TryGetValue(answer.Origin, out var ofOrigin)) { _answers[answer.Origin] = ofOrigin = []; }
        answer.Place = ofOrigin.Count;
        ofOrigin.Add(answer);
    }

    public void Remove(T answer)
    {
        var ofOrigin = _answers[answer.Origin];
        var last = ofOrigin[^1];
        (ofOrigin[answer.Place], last.Place) = (last, answer.Place);
        ofOrigin.RemoveAt(ofOrigin.Count - 1);
        if (ofOrigin.Count == 0) { _answers.Remove(answer.Origin); }
    }

    /// <summary>
    /// Returns a random answer of the network that has the most answers of an account; <see langword="null"/> if the account has none.
    /// </summary>
    public T? PickOfLargest(in Account account, Random random)
    {
        List<T>? largest = null;
        var equals = 0;
        foreach (var (origin, ofOrigin) in _answers)
        {
            if (origin.Account != account || ofOrigin.Count < largest?.Count) { continue; }
            equals = ofOrigin.Count == largest?.Count ? equals + 1 : 1;
            if (random.Next(equals) == 0) { largest = ofOrigin; }
        }
        return largest?[random.Next(largest.Count)];
    }
}
