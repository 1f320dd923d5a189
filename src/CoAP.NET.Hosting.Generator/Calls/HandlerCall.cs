using CoAP.Formats.Generation;

namespace CoAP.Hosting.Generation.Calls;

/// <summary>A call of MapCoapGet or one of its like, and its handler. Without symbols, so that it can be compared.</summary>
/// <param name="Location">The attribute that names the location of the call.</param>
/// <param name="Receiver">The type of the receiver.</param>
/// <param name="Method">The name of the request method, as in RequestCode.</param>
/// <param name="DelegateType">The type of the delegate; <see langword="null"/> if it has no name.</param>
/// <param name="Shape">A lambda expression of the type of the delegate.</param>
/// <param name="Parameters">The parameters of the handler.</param>
/// <param name="Return">What the handler returns.</param>
internal sealed record HandlerCall(
    string Location, string Receiver, string Method, string? DelegateType, string Shape, EqualArray<HandlerParameter> Parameters,
    HandlerReturn Return);
