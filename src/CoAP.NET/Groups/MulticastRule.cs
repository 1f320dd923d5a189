using CoAP.Resources;

namespace CoAP.Groups;

/// <summary>The multicast requests that a resource handles, and the responses that it sends to them (RFC 7252, section 8.2).</summary>
internal sealed class MulticastRule : ResourceFeature
{
    private readonly uint _methods;

    /// <param name="answers">The responses that are sent.</param>
    /// <param name="methods">The methods that are handled; GET and FETCH if empty.</param>
    /// <exception cref="ArgumentException">A code is not a method.</exception>
    public MulticastRule(MulticastAnswers answers, ReadOnlySpan<CoapCode> methods)
    {
        Answers = answers;
        foreach (var method in methods.IsEmpty ? [RequestCode.Get, RequestCode.Fetch] : methods)
        {
            if (!method.IsRequest) { throw new ArgumentException($"Code {method} is not a method; methods are 0.01 to 0.31.", nameof(methods)); }
            _methods |= BitOf(method);
        }
    }

    /// <summary>The responses that are sent.</summary>
    public MulticastAnswers Answers { get; }

    /// <summary>Returns <see langword="true"/> if requests with a method are handled.</summary>
    public bool Allows(CoapCode method) => method.IsRequest && (_methods & BitOf(method)) != 0;

    private static uint BitOf(CoapCode method) => 1U << method.Value;
}
