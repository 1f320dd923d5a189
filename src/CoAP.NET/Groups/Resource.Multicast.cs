namespace CoAP;

/// <content>Whether the resource answers requests that were sent to a group.</content>
public sealed partial class Resource
{
    private uint _multicastMethods;
    private volatile MulticastAnswers _multicastAnswers;

    internal MulticastAnswers MulticastAnswers => _multicastAnswers;

    /// <summary>Has requests that were sent to a group handled, which are ignored otherwise (RFC 7252, section 8.2).</summary>
    /// <param name="answers">What is worth an answer.</param>
    /// <param name="methods">The methods; GET and FETCH where none is named. Nothing protects a group from a forged request that changes something.</param>
    /// <exception cref="ArgumentException">A code is no method.</exception>
    public Resource AnswersMulticast(MulticastAnswers answers = MulticastAnswers.Useful, params ReadOnlySpan<CoapCode> methods)
    {
        if (!Enum.IsDefined(answers)) { throw new ArgumentOutOfRangeException(nameof(answers), answers, "There is no such choice."); }
        var bits = methods.IsEmpty ? BitOf(RequestCode.Get) | BitOf(RequestCode.Fetch) : 0;
        foreach (var method in methods)
        {
            if (!method.IsRequest) { throw new ArgumentException($"Code {method} is no method; 0.01 to 0.31 are.", nameof(methods)); }
            bits |= BitOf(method);
        }
        _multicastAnswers = answers;
        Volatile.Write(ref _multicastMethods, bits);
        return this;
    }

    internal bool TakesMulticast(CoapCode method) => method.Value < MethodCodes && (Volatile.Read(ref _multicastMethods) & BitOf(method)) != 0;

    private static uint BitOf(CoapCode method) => 1U << method.Value;
}
